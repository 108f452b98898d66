-- AlterTable
ALTER TABLE "user_sessions" ADD COLUMN     "generation" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "session_generation" INTEGER NOT NULL DEFAULT 0;
