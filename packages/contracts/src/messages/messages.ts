import { ABILITY_MESSAGES } from './abilities';
import { MEDIA_MESSAGES } from './media';
import { NETWORK_MESSAGES } from './network';
import { NOTICE_MESSAGES } from './notices';
import { PARAMETER_MESSAGES } from './parameters';
import { PHRASES } from './phrases';
import { REQUEST_MESSAGES } from './requests';
import { SOURCE_MESSAGES } from './sources';
import { TASK_MESSAGES } from './tasks';
import { WARNING_MESSAGES } from './warnings';

/**
 * The English texts of all failures and warnings, by message key. `{name}` is a parameter. The parameters of a key never change: failed
 * tasks and warnings are stored with them.
 */
export const MESSAGES = {
  ...TASK_MESSAGES,
  ...MEDIA_MESSAGES,
  ...NETWORK_MESSAGES,
  ...ABILITY_MESSAGES,
  ...PARAMETER_MESSAGES,
  ...SOURCE_MESSAGES,
  ...REQUEST_MESSAGES,
  ...WARNING_MESSAGES,
  ...NOTICE_MESSAGES,
  ...PHRASES,
} as const;

export type MessageKey = keyof typeof MESSAGES;
export type MessageTexts = Readonly<Record<MessageKey, string>>;

/** The names within braces. */
export type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

export type ParamsOf<Key extends MessageKey> = {
  readonly [Name in Placeholder<(typeof MESSAGES)[Key]>]: MessageParam;
};

/** A name, a figure, or a message within the message. */
export type MessageParam = string | number | Message;

/** A text for a caller, as data; `message` makes one whose parameters are those of its text. */
export interface Message {
  readonly key: MessageKey;
  readonly params: Readonly<Record<string, MessageParam>>;
}
