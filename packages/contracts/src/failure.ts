import type { Message, MessageKey, MessageParam, ParamsOf } from './messages/messages';
import type { Reason } from './reasons';

/** A failure as data, from where it arises to where it is shown. It is put into words there, in the caller's language. */
export interface Failure {
  reason: Reason;
  message: Message;
  /** The field of the body that is to blame, by its path: `image_urls[0]`. */
  param?: string;
}

/** The parameters of a message about a field, without the field's name, which is `param` unless `field` gives another. */
export type FieldParams<Key extends MessageKey> = Omit<ParamsOf<Key>, 'field'> & { readonly field?: MessageParam };

/** `params` may be left out where the message has no parameter but the field's name. */
export type FieldArguments<Key extends MessageKey> =
  Exclude<keyof ParamsOf<Key>, 'field'> extends never
    ? [key: Key, params?: FieldParams<Key>]
    : [key: Key, params: FieldParams<Key>];

/** The failure of one field of a body. */
export function fieldFailure<Key extends MessageKey>(
  reason: Reason,
  param: string,
  ...about: FieldArguments<Key>
): Failure {
  return failureOf(reason, param, about);
}

/** The same for functions that pass their own arguments on. */
export function failureOf(reason: Reason, param: string, about: readonly [MessageKey, object?]): Failure {
  return { reason, param, message: fieldMessage(param, about) };
}

/** A message about a field: `field` of the message is its name, unless the parameters name another. */
export function fieldMessage(field: string, [key, params]: readonly [MessageKey, object?]): Message {
  return { key, params: { field, ...params } };
}

/** The failures that one answer lists at most: a caller who corrects so many asks again anyway. */
export const MAX_FAILURES = 20;

/** The first failure of each field, in order, and no more than an answer lists. */
export function oneOfEachField([first, ...others]: readonly [Failure, ...Failure[]]): [Failure, ...Failure[]] {
  const named = new Set([first.param]);
  const further: Failure[] = [];
  for (const failure of others) {
    if (further.length + 1 >= MAX_FAILURES) break;
    if (named.has(failure.param)) continue;
    named.add(failure.param);
    further.push(failure);
  }
  return [first, ...further];
}
