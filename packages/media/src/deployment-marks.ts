import type { Database } from '@mediagate/database';
import type { Storage } from './storage/storage';

export interface DeploymentMarksDeps {
  database: Pick<Database, 'readBeginning'>;
  storage: Pick<Storage, 'list' | 'put'>;
}

const PREFIX = 'deployments/';
const BEHIND_ALL = `${PREFIX}z`;
const NOTE = Buffer.from(
  'A deployment of mediagate whose database was made at the time of this name keeps files here. Remove this object once it is gone.\n',
);

/**
 * One small object for each deployment that keeps files in the storage. Deployments have no rows of each other's files: they know of each
 * other by these objects alone, whichever of them came first.
 */
export class DeploymentMarks {
  readonly #deps: DeploymentMarksDeps;
  #own: string | undefined;

  constructor(deps: DeploymentMarksDeps) {
    this.#deps = deps;
  }

  /**
   * Leaves the mark of this deployment, or leaves it anew: a rule of the bucket or an operator may have removed it. Answers the storage's
   * error where it refuses it.
   */
  async leave(): Promise<{ refusal?: unknown }> {
    const key = await this.#ownKey();
    return this.#deps.storage.put(key, NOTE, { contentType: 'text/plain', bytes: NOTE.length }).then(
      () => ({}),
      (refusal: unknown) => ({ refusal }),
    );
  }

  /** Lists the marks of other deployments. */
  async listOthers(): Promise<string[]> {
    const own = await this.#ownKey();
    const others: string[] = [];
    let place: string | undefined;
    do {
      const { keys, next } = await this.#deps.storage.list({ prefix: PREFIX, before: BEHIND_ALL, place });
      others.push(...keys.filter((key) => key !== own));
      place = next;
    } while (place !== undefined);
    return others.sort();
  }

  async #ownKey(): Promise<string> {
    if (this.#own !== undefined) return this.#own;
    const [beginning] = await this.#deps.database.readBeginning();
    if (beginning === undefined) throw new Error('the database does not say when it was made');
    this.#own = `${PREFIX}${beginning.at.toISOString().toLowerCase().replaceAll(':', '.')}`;
    return this.#own;
  }
}
