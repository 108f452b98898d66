-- DropIndex
DROP INDEX "user_links_user_id_idx";

-- DropIndex
DROP INDEX "users_email_key";

-- DropIndex
DROP INDEX "users_identity_key";
