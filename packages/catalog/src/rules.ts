import {
  type Failure,
  type FieldArguments,
  failureOf,
  fieldMessage,
  type Message,
  type MessageKey,
  oneOfEachField,
} from '@mediagate/contracts';
import type { RejectedInput } from './entry';

/**
 * The outcome of a cross-field check: nothing; the body is wrong; a field has no effect here; or the body is
 * read as if it said something else. An ignored field reads as if it had not been sent, and the caller is warned if they
 * did send it.
 */
export type RuleOutcome = RejectedInput | { ignore: string; warning: Message } | Rewriting | undefined;

interface Rewriting {
  /** New values by field; `undefined` takes the field out. */
  rewrite: Readonly<Record<string, unknown>>;
  /** In the caller's terms; absent where another way of saying the same was only normalised. */
  warning?: Message;
}

/**
 * A named pure function over input that fits the schema, as earlier rules have rewritten it. `sent` are the fields that the
 * caller sent: the others have their defaults. If an input does not fit, only rules count that read nothing but sound fields; so
 * a rule reads every field that its judgement depends on, and never an earlier rule's conclusion from other fields.
 */
export type Rule<Input> = (input: Input, sent: ReadonlySet<string>) => RuleOutcome;

/** The body is wrong at `param`; the message names the field and says what would be right, without repeating the value. */
export function reject<Key extends MessageKey>(param: string, ...about: FieldArguments<Key>): RejectedInput {
  return rejected(failureOf('invalid_parameter', param, about));
}

/** The body lacks a value that it needs at `param`. */
export function missing<Key extends MessageKey>(param: string, ...about: FieldArguments<Key>): RejectedInput {
  return rejected(failureOf('missing_parameter', param, about));
}

/** Each field is right and they exclude each other. */
export function cannotCombine<Key extends MessageKey>(param: string, ...about: FieldArguments<Key>): RejectedInput {
  return rejected(failureOf('conflicting_parameters', param, about));
}

/** As `cannotCombine`, where the specification has a status of its own for it (422). */
export function conflict<Key extends MessageKey>(param: string, ...about: FieldArguments<Key>): RejectedInput {
  return { ...rejected(failureOf('conflicting_parameters', param, about)), code: 'conflicting_parameters' };
}

export function rejected(failure: Failure, ...further: readonly Failure[]): RejectedInput {
  return { ok: false, code: 'invalid_request', failures: [failure, ...further] };
}

/** Several refusals of one body as one, which says first what the first says; undefined: there is none. */
export function together([first, ...others]: readonly RejectedInput[]): RejectedInput | undefined {
  if (first === undefined || others.length === 0) return first;
  const [failure, ...further] = first.failures;
  return { ...first, failures: oneOfEachField([failure, ...further, ...others.flatMap(({ failures }) => failures)]) };
}

/** `field` has no effect, and the message says why. */
export function ignore<Key extends MessageKey>(field: string, ...about: FieldArguments<Key>): RuleOutcome {
  return { ignore: field, warning: fieldMessage(field, about) };
}

/** The body is read with these fields instead; `warning` says so where the caller would not expect it. */
export function rewrite(fields: Readonly<Record<string, unknown>>, warning?: Message): RuleOutcome {
  return { rewrite: fields, ...(warning === undefined ? {} : { warning }) };
}

/** The body is taken as it is, and yet there is something to tell its sender. */
export function warn(warning: Message): RuleOutcome {
  return rewrite({}, warning);
}
