-- "tasks_by_parent" begins with the same column.
DROP INDEX "tasks_parent_idx";
