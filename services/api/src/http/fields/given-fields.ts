import { type Failure, failureOf, refuseAll } from '@mediagate/contracts';

/** Fields or parameters of a request, by name. `end` refuses all that are wrong together. */
export class GivenFields<Value> {
  readonly #given: Readonly<Record<string, Value | undefined>>;
  readonly #known = new Set<string>();
  readonly #failures: Failure[] = [];

  constructor(given: Readonly<Record<string, Value | undefined>>) {
    this.#given = given;
  }

  add(...failures: readonly Failure[]): void {
    this.#failures.push(...failures);
  }

  /** @throws GatewayError `invalid_request` naming everything that is wrong or was not asked for. */
  end(): void {
    for (const name of this.names()) {
      if (!this.#known.has(name)) this.add(failureOf('unsupported_parameter', name, ['unsupported_parameter']));
    }
    refuseAll(this.#failures);
  }

  protected names(): string[] {
    return Object.keys(this.#given);
  }

  /** Reads the value of a name, which counts as asked for from then on. */
  protected given(name: string): Value | undefined {
    this.#known.add(name);
    return this.#given[name];
  }

  protected isRefused(name: string): boolean {
    return this.#failures.some(({ param }) => param === name);
  }
}
