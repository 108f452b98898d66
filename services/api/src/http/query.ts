import { type Failure, type FieldArguments, failureOf, type MessageKey, refuseAll } from '@mediagate/contracts';
import type { Request } from 'express';

/** Reads the parameters of a query. What is wrong with any of them is gathered, and refused together by `end`. */
export class Query {
  readonly #parameters: Request['query'];
  readonly #known = new Set<string>();
  readonly #failures: Failure[] = [];

  constructor(request: Pick<Request, 'query'>) {
    this.#parameters = request.query;
  }

  /** Undefined: it is absent, empty, or wrong. */
  text(name: string): string | undefined {
    this.#known.add(name);
    const value = this.#parameters[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string') return value;
    this.refuse(name, 'must_be_given_once');
    return undefined;
  }

  integer(name: string, { min, max, fallback }: { min: number; max: number; fallback: number }): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^-?\d{1,15}$/.test(text)) this.refuse(name, 'must_be_integer');
    else if (value < min || value > max) this.refuse(name, 'must_be_in_range', { min, max });
    return value;
  }

  /** The parameter as `read` parses it; if that is undefined, it is refused with the message that says what is accepted. */
  parsed<Value, Key extends MessageKey>(
    name: string,
    read: (text: string) => Value | undefined,
    ...accepted: FieldArguments<Key>
  ): Value | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = read(text);
    if (value === undefined) this.add(failureOf('invalid_parameter', name, accepted));
    return value;
  }

  /** Reads one of these values, in any letter case. */
  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined) return undefined;
    const value = values.find((each) => each === text);
    if (value === undefined) this.refuse(name, 'must_be_one_of', { values: values.join(', ') });
    return value;
  }

  /** Parameters whose names begin with the prefix, by the rest of their names. */
  under(prefix: string): [name: string, value: string][] {
    const names = Object.keys(this.#parameters).filter((name) => name.startsWith(prefix));
    return names.flatMap((name) => {
      const value = this.text(name);
      return value === undefined ? [] : [[name.slice(prefix.length), value]];
    });
  }

  refuse<Key extends MessageKey>(name: string, ...about: FieldArguments<Key>): void {
    this.add(failureOf('invalid_parameter', name, about));
  }

  add(...failures: readonly Failure[]): void {
    this.#failures.push(...failures);
  }

  /** @throws GatewayError `invalid_request` naming every parameter that is wrong or was not asked for. */
  end(): void {
    for (const name of Object.keys(this.#parameters)) {
      if (!this.#known.has(name))
        this.#failures.push(failureOf('unsupported_parameter', name, ['unsupported_parameter']));
    }
    refuseAll(this.#failures);
  }
}
