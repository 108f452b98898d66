ALTER TABLE "accounts" VALIDATE CONSTRAINT "accounts_credit_within_balance";
ALTER TABLE "api_keys" VALIDATE CONSTRAINT "api_keys_credit_within_quota";
