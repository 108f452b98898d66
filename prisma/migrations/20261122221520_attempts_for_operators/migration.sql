-- AlterTable
ALTER TABLE "task_attempts" ADD COLUMN     "answer" TEXT,
ADD COLUMN     "resolution" TEXT,
ADD COLUMN     "resolved_at" TIMESTAMPTZ(3);

-- Checked for new rows alone: those of before have none.
ALTER TABLE "task_attempts"
  ADD CONSTRAINT "task_attempts_resolution_known"
    CHECK (resolution IS NULL OR (state = 'unknown' AND resolution IN ('paid', 'not_paid') AND resolved_at IS NOT NULL)) NOT VALID;
