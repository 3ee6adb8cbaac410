"""The course's learning platform: roster in, grades and feedback out, by LTI Advantage.

The platform's services are called from this machine with a key of the course's own (`private`,
`keys`, `connection`, `service`): no launch, no public address. `members` and `roster` bring people
in, `columns`, `scores`, `plan` and `push` bring marks out, and `pushed` remembers what was sent.
`archives` packs feedback pages as a platform takes them back. Imports collect and the gradebook.
"""
