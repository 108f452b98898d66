-- Keys that users of the console have made are their accounts': they outlive the key that stands for the user.
UPDATE "api_keys" k SET "made_by" = k."maker_id", "maker_id" = NULL
FROM "users" u WHERE u."credential_id" = k."maker_id";
