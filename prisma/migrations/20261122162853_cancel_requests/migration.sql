-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "cancel_requested_at" TIMESTAMPTZ(3);
