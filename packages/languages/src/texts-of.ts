import type { MESSAGES, MessageKey, MessageTexts, Placeholder } from '@mediagate/contracts';

type English = typeof MESSAGES;
type SameUnion<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? string : never) : never;

/** A text must have just the parameters of its message, in any order. */
type SameParams<Texts extends MessageTexts> = {
  readonly [Key in MessageKey]: SameUnion<Placeholder<Texts[Key]>, Placeholder<English[Key]>>;
};

/** The texts of one language: one that is missing, or that lacks a parameter or has another, does not compile. */
export function textsOf<const Texts extends MessageTexts>(texts: Texts & SameParams<Texts>): MessageTexts {
  return texts;
}
