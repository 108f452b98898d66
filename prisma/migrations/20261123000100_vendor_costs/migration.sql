-- AlterTable
ALTER TABLE "reservations" ADD COLUMN     "channel_id" TEXT,
ADD COLUMN     "cost_nano" BIGINT;

-- AlterTable
ALTER TABLE "task_attempts" ADD COLUMN     "cost_nano" BIGINT,
ADD COLUMN     "cost_origin" TEXT;

-- Checked for new rows alone: those of before have none.
ALTER TABLE "reservations"
  ADD CONSTRAINT "reservations_cost_known_at_the_end" CHECK (cost_nano IS NULL OR (cost_nano >= 0 AND state <> 'held')) NOT VALID;
ALTER TABLE "task_attempts"
  ADD CONSTRAINT "task_attempts_cost_origin_known"
    CHECK ((cost_origin IS NULL OR (cost_origin IN ('declared', 'reported', 'resolved') AND cost_nano IS NOT NULL))
      AND (cost_nano IS NULL OR (cost_nano >= 0 AND state NOT IN ('starting', 'accepted')))) NOT VALID;
