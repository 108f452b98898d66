export type { Verdict } from './breaker';
export { type ChannelBook, createChannelBook } from './channel-book';
export { type ChannelChooser, createChannelChooser } from './channel-chooser';
export { endpointOf } from './endpoint';
export { createTextTranslator, type TextTranslatorDeps } from './text-translator';
