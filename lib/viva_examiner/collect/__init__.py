"""What learning platforms export becomes `submitted/`: `viva collect`.

Archives and folders are read within bounds (`archives`), a platform's names and manifests say
whose each upload is (`platforms`), the course's table maps names to ids (`students`), and each
student's folder is put in place whole (`taking`). Imports the course, the gradebook and what is
submitted; nothing here runs or trusts what an archive holds.
"""
