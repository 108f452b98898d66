-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "lost_steps" INTEGER NOT NULL DEFAULT 0;
