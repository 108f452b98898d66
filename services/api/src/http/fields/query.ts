import { type FieldArguments, failureOf, type MessageKey } from '@mediagate/contracts';
import type { Request } from 'express';
import { GivenFields } from './given-fields';

/** Reads the parameters of a query. */
export class Query extends GivenFields<Request['query'][string]> {
  constructor(request: Pick<Request, 'query'>) {
    super(request.query);
  }

  /** Undefined: it is absent, empty, or wrong. */
  text(name: string): string | undefined {
    const value = this.given(name);
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
    const names = this.names().filter((name) => name.startsWith(prefix));
    return names.flatMap((name) => {
      const value = this.text(name);
      return value === undefined ? [] : [[name.slice(prefix.length), value]];
    });
  }

  refuse<Key extends MessageKey>(name: string, ...about: FieldArguments<Key>): void {
    this.add(failureOf('invalid_parameter', name, about));
  }
}
