-- Trigger `setting_steps_in_time`: refuses a setting that decides what vendors are paid and that processes could learn of too late,
-- as `refuse_late_price` does. Each process goes by the settings that it knows for 7 seconds (SETTINGS_KNOWN_MS of packages/channels).
CREATE OR REPLACE FUNCTION refuse_late_setting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.effective_at < clock_timestamp() + interval '7 seconds' THEN
    RAISE EXCEPTION 'the setting % of % would be known too late', NEW.field, NEW.name USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NULL;
END $$;
