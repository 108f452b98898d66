-- In its place are "tasks_undispatched" and "tasks_watched". Statements of the release before go by "tasks_deadline" meanwhile.
DROP INDEX IF EXISTS "tasks_due";
