<?php
// A course for tests in a fresh Moodle: students, teachers, groups, assignments, and a course tool
// with our public key. Called with the folder of Moodle and a JSON file; prints what it made as JSON.

define('CLI_SCRIPT', true);
require($argv[1] . '/config.php');
require_once($CFG->libdir . '/testing/generator/lib.php');
require_once($CFG->dirroot . '/mod/lti/locallib.php');
require_once($CFG->dirroot . '/user/lib.php');

$wanted = json_decode(file_get_contents($argv[2]));
\core\session\manager::set_user(get_admin());
$make = new testing_data_generator();

// web services for what students and teachers do without a browser
set_config('enablewebservices', 1);
set_config('enablemobilewebservice', 1);
set_config('webserviceprotocols', 'rest');
$DB->set_field('external_services', 'enabled', 1, ['shortname' => 'moodle_mobile_app']);
set_config('noemailever', 1);
set_config('passwordpolicy', 0);
set_config('forcepasswordchange', 0);
$everybody = $DB->get_record('role', ['shortname' => 'user'], '*', MUST_EXIST);
assign_capability('webservice/rest:use', CAP_ALLOW, $everybody->id, context_system::instance());

$course = $make->create_course(['fullname' => 'Deep learning', 'shortname' => 'DL', 'showgrades' => 1]);
$people = [];
foreach ($wanted->people as $person) {
    $user = $make->create_user([
        'username' => $person->login, 'password' => $wanted->password, 'firstname' => $person->first,
        'lastname' => $person->last, 'email' => $person->email, 'idnumber' => $person->number,
    ]);
    $make->enrol_user($user->id, $course->id, $person->role);
    $people[$person->login] = (int)$user->id;
}
foreach ($wanted->groups as $name => $logins) {
    $group = $make->create_group(['courseid' => $course->id, 'name' => $name]);
    foreach ($logins as $login) {
        $make->create_group_member(['groupid' => $group->id, 'userid' => $people[$login]]);
    }
}

$assignments = [];
foreach (['plain' => 0, 'blind' => 1] as $name => $blind) {
    $made = $make->create_module('assign', [
        'course' => $course->id, 'name' => "Homework ($name)", 'blindmarking' => $blind, 'grade' => 100,
        'assignsubmission_file_enabled' => 1, 'assignsubmission_file_maxfiles' => 5,
        'assignsubmission_file_maxsizebytes' => 10 * 1024 * 1024,
        'assignfeedback_file_enabled' => 1, 'assignfeedback_offline_enabled' => 1,
        'submissiondrafts' => 0, 'duedate' => 0,
    ]);
    $assignments[$name] = ['id' => (int)$made->id, 'cmid' => (int)$made->cmid];
}

$tool = (object)[
    'name' => 'Viva', 'baseurl' => $CFG->wwwroot, 'course' => $course->id,
    'state' => LTI_TOOL_STATE_CONFIGURED, 'createdby' => $people[$wanted->teacher],
];
$config = (object)[
    'lti_typename' => 'Viva', 'lti_toolurl' => $CFG->wwwroot, 'lti_ltiversion' => LTI_VERSION_1P3,
    'lti_keytype' => LTI_RSA_KEY, 'lti_publickey' => $wanted->key,
    'ltiservice_gradesynchronization' => 2, 'ltiservice_memberships' => 1,
    'lti_sendname' => LTI_SETTING_ALWAYS, 'lti_sendemailaddr' => LTI_SETTING_ALWAYS,
    'lti_acceptgrades' => LTI_SETTING_ALWAYS, 'lti_coursevisible' => LTI_COURSEVISIBLE_ACTIVITYCHOOSER,
];
$tool->id = lti_add_type($tool, $config);
purge_all_caches();

echo json_encode([
    'course' => (int)$course->id, 'people' => $people, 'assignments' => $assignments,
    'tool' => (int)$tool->id, 'client_id' => $DB->get_field('lti_types', 'clientid', ['id' => $tool->id]),
    'release' => $CFG->release,
]);
