-- AlterTable
ALTER TABLE "open_breakers" ADD COLUMN     "fault" TEXT;

-- AlterTable
ALTER TABLE "open_model_breakers" ADD COLUMN     "fault" TEXT;
