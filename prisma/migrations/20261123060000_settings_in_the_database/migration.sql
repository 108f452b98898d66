-- What operators set over the configuration file: every field of a channel, and the schedule of callbacks. What was set until now
-- moves there; `channel_overrides` stays for the processes of the release before.
CREATE TABLE "settings_version" (
    "only" BOOLEAN NOT NULL DEFAULT true,
    "version" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "settings_version_pkey" PRIMARY KEY ("only")
);

ALTER TABLE "settings_version" ADD CONSTRAINT "settings_version_only_one" CHECK ("only");

INSERT INTO "settings_version" DEFAULT VALUES;

CREATE TABLE "setting_steps" (
    "id" BIGSERIAL NOT NULL,
    "version" BIGINT NOT NULL,
    "section" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "value" JSONB,
    "effective_at" TIMESTAMPTZ(3) NOT NULL,
    "set_by" TEXT NOT NULL,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "setting_steps_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "setting_steps_section_known" CHECK ("section" IN ('channels', 'webhooks'))
);

CREATE INDEX "setting_steps_section_name_field_effective_at_id_idx"
  ON "setting_steps"("section", "name", "field", "effective_at", "id");

CREATE TABLE "vendor_secrets" (
    "name" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "set_by" TEXT NOT NULL,
    "reason" TEXT,
    "set_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "vendor_secrets_pkey" PRIMARY KEY ("name")
);

INSERT INTO "setting_steps" ("version", "section", "name", "field", "value", "effective_at", "set_by", "reason", "created_at")
SELECT 0, 'channels', o.channel_id, s.field, s.value, o.set_at, o.set_by, o.reason, o.set_at
FROM "channel_overrides" o
CROSS JOIN LATERAL (VALUES ('state', to_jsonb(o.state)), ('weight', to_jsonb(o.weight))) AS s(field, value)
WHERE s.value IS NOT NULL;

CREATE TRIGGER setting_steps_append_only BEFORE UPDATE OR DELETE ON "setting_steps"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Trigger `setting_steps_in_time`: refuses a setting that decides what vendors are paid and that processes could learn of too late,
-- as `refuse_late_price` does. Each process goes by the settings that it knows for 7 seconds (SETTINGS_KNOWN_MS of packages/channels).
CREATE OR REPLACE FUNCTION refuse_late_setting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.effective_at < clock_timestamp() + interval '7 seconds' THEN
    RAISE EXCEPTION 'the setting % of % would be known too late', NEW.field, NEW.name USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER setting_steps_in_time AFTER INSERT ON "setting_steps"
  FOR EACH ROW WHEN (NEW.field IN ('models', 'costs', 'credit_cost')) EXECUTE FUNCTION refuse_late_setting();
