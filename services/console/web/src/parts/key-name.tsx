import type { components } from '../api/generated/api.ts';
import { say } from '../frame/texts.ts';
import classes from './key-name.module.css';
import { Status } from './status.tsx';

type ApiKey = components['schemas']['ApiKey'];

/** The name of a key, and the characters by which it is known. */
export function KeyName({ apiKey: { name, id, last_four } }: { apiKey: ApiKey }) {
  return (
    <span className={classes.names}>
      <span>{name || id}</span>
      <code className="quiet">
        {id} …{last_four}
      </code>
    </span>
  );
}

/** Whether a key can be used, and for what. */
export function KeyState({ apiKey: { revoked_at, expires_at, mode } }: { apiKey: ApiKey }) {
  if (revoked_at !== null) return <Status tone="bad" text={say('key.revoked')} />;
  if (expires_at !== null && expires_at * 1000 < Date.now()) return <Status tone="warning" text={say('key.expired')} />;
  return mode === 'test' ? (
    <Status tone="busy" text={say('key.test')} />
  ) : (
    <Status tone="good" text={say('key.live')} />
  );
}
