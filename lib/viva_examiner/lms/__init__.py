"""The course's learning platform: roster in, grades and feedback out, by LTI Advantage.

The platform's services are called from this machine with a key of the course's own (`private`,
`key_pair`, `connection`, `service`): no launch, no public address. `members` and `members_table`
bring people in, `columns`, `column_grades`, `push_plan` and `push` bring marks out, and `pushed`
remembers what was sent. `feedback_archives` packs feedback pages as a platform takes them back.
Imports collect and the gradebook.
"""
