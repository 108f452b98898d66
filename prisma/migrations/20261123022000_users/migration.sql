-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "account_id" TEXT,
    "password_hash" TEXT,
    "totp_secret" BYTEA,
    "totp_confirmed_at" TIMESTAMPTZ(3),
    "totp_last_step" BIGINT,
    "identity" TEXT,
    "credential_id" TEXT,
    "credential_secret" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_signed_in_at" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_sessions" (
    "token_hash" BYTEA NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_sessions_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "user_links" (
    "token_hash" BYTEA NOT NULL,
    "user_id" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_links_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "user_recovery_codes" (
    "user_id" TEXT NOT NULL,
    "code_hash" BYTEA NOT NULL,

    CONSTRAINT "user_recovery_codes_pkey" PRIMARY KEY ("user_id","code_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "users_identity_key" ON "users"("identity");

-- CreateIndex
CREATE INDEX "users_account_id_idx" ON "users"("account_id");

-- CreateIndex
CREATE INDEX "user_sessions_user_id_idx" ON "user_sessions"("user_id");

-- CreateIndex
CREATE INDEX "user_sessions_created_at_idx" ON "user_sessions"("created_at");

-- CreateIndex
CREATE INDEX "user_links_user_id_idx" ON "user_links"("user_id");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_links" ADD CONSTRAINT "user_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_recovery_codes" ADD CONSTRAINT "user_recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "users"
  ADD CONSTRAINT "users_kind" CHECK (
    kind = 'operator' AND account_id IS NULL AND role IN ('read', 'support', 'billing', 'admin')
    OR kind = 'account' AND account_id IS NOT NULL AND role IN ('owner', 'developer', 'viewer')
  ),
  ADD CONSTRAINT "users_email" CHECK (email = lower(email)),
  ADD CONSTRAINT "users_credential" CHECK ((credential_id IS NULL) = (credential_secret IS NULL));

ALTER TABLE "user_links" ADD CONSTRAINT "user_links_purpose" CHECK (purpose IN ('invitation', 'sign_in'));
