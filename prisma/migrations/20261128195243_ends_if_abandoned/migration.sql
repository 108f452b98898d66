-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "end_if_abandoned" JSONB;
