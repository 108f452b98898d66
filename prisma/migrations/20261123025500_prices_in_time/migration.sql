-- A price is refused that would be written too late for every process to know it, whatever the statement waited for.
CREATE OR REPLACE FUNCTION refuse_late_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.effective_at < clock_timestamp() + interval '7 seconds' THEN
    RAISE EXCEPTION 'the price of % would be known too late', NEW.billing_key USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER price_overrides_in_time AFTER INSERT ON "price_overrides"
  FOR EACH ROW EXECUTE FUNCTION refuse_late_price();
