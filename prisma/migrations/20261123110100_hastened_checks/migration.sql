-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "hastened_at" TIMESTAMPTZ(3);
