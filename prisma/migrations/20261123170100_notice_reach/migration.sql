-- AlterTable
ALTER TABLE "notice_settings" ADD COLUMN     "reach" JSONB;
