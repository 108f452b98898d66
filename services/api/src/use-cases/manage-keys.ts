import {
  changeMadeKey,
  fieldsBeyond,
  findKey,
  type KeyRecord,
  type ListedKey,
  listKeys,
  MAX_KEYS_OF_ACCOUNT,
  type MadeKeySettings,
  makeKey,
  revokeKey,
} from '@mediagate/billing';
import { failureOf, GatewayError, message, oneOfEachField, refusedBody } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Caller } from './caller';
import { invalid } from './invalid';

export interface ManageKeysDeps {
  database: Database;
  pepper: string;
  /** How each setting is called in the body. */
  fieldNames: Readonly<Record<keyof MadeKeySettings, string>>;
}

/**
 * What a key with the right `manage` does with keys of its account: it makes them, and changes and revokes those that it made.
 *
 * @throws (each method) GatewayError `not_found` (no such key of the account), `permission` (another made it), `invalid_request`
 * (more than the caller has, a quota below what is spent), `conflict` (no more keys), `authentication` (the caller was revoked).
 */
export class ManageKeys {
  readonly #deps: ManageKeysDeps;

  constructor(deps: ManageKeysDeps) {
    this.#deps = deps;
  }

  /** @param isTest of tests, for good; those of a test key are so anyway. */
  async make(
    caller: Caller,
    settings: MadeKeySettings,
    { isTest }: { isTest: boolean },
  ): Promise<{ key: string; record: ListedKey }> {
    const { database, pepper } = this.#deps;
    const maker = await this.#requireWithinOwn(caller, settings);
    const issued = await makeKey(database, pepper, { maker, settings, isTest: isTest || maker.isTest });
    if (!issued) throw tooManyKeys();
    return { key: issued.key, record: await this.#requireKey(caller, issued.id) };
  }

  async change(caller: Caller, id: string, settings: MadeKeySettings): Promise<ListedKey> {
    const { database, fieldNames } = this.#deps;
    const { revokedAt } = await this.#requireMade(caller, id);
    if (revokedAt) throw unknownKey();
    const maker = await this.#requireWithinOwn(caller, settings);
    const change = await changeMadeKey(database, { id, maker }, settings);
    if (change === 'unknown') throw unknownKey();
    if (change === 'quota_below_used') throw invalid(fieldNames.quotaNano, 'must_cover_use');
    return this.#requireKey(caller, id);
  }

  /** Again changes nothing. */
  async revoke(caller: Caller, id: string): Promise<ListedKey> {
    const { revokedAt } = await this.#requireMade(caller, id);
    if (!revokedAt) await revokeKey(this.#deps.database, id);
    return this.#requireKey(caller, id);
  }

  /** The caller's key as it is now. */
  async #requireWithinOwn({ id }: Caller, settings: MadeKeySettings): Promise<KeyRecord> {
    const { database, fieldNames } = this.#deps;
    const maker = await findKey(database, id);
    if (!maker) throw new GatewayError('authentication', message('key_revoked'), { reason: 'key_revoked' });
    const failures = fieldsBeyond(maker, settings).map((field) =>
      failureOf('invalid_parameter', fieldNames[field], ['must_be_within_own']),
    );
    const [first, ...further] = failures;
    if (first) throw refusedBody('invalid_request', oneOfEachField([first, ...further]));
    return maker;
  }

  async #requireMade(caller: Caller, id: string): Promise<ListedKey> {
    const key = await this.#requireKey(caller, id);
    if (key.maker?.id === caller.id) return key;
    throw new GatewayError('permission', message('key_not_made'), { reason: 'key_not_permitted' });
  }

  async #requireKey({ accountId }: Caller, id: string): Promise<ListedKey> {
    const [key] = KEY_ID.test(id) ? await listKeys(this.#deps.database, { accountId, id }) : [];
    if (!key) throw unknownKey();
    return key;
  }
}

const KEY_ID = /^[0-9a-z]{12}$/;

function unknownKey(): GatewayError {
  return new GatewayError('not_found', message('key_not_found'));
}

function tooManyKeys(): GatewayError {
  const about = message('too_many_keys', { limit: MAX_KEYS_OF_ACCOUNT });
  return new GatewayError('conflict', about, { reason: 'too_many_keys' });
}
