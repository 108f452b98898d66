import type { RejectedInput } from './entry';

/**
 * What a cross-field check may say: nothing, that the body is wrong, or that a field has no effect here. An ignored field
 * reads as if it had not been sent, and the caller is warned if they did send it.
 */
export type RuleOutcome = RejectedInput | { ignore: string; because: string } | undefined;

/** A named pure function over input that already fits the schema. */
export type Rule<Input> = (input: Input) => RuleOutcome;

/** The body is wrong at `param`; `message` names the field and says what would be right, without repeating the value. */
export function reject(param: string, message: string): RejectedInput {
  return { ok: false, code: 'invalid_request', message, param };
}

/** `field` has no effect, `because` completes the sentence "resolution was ignored: ...". */
export function ignore(field: string, because: string): RuleOutcome {
  return { ignore: field, because };
}
