export { LANGUAGES, type Language, toLanguage } from './languages';
export { preferredLanguage } from './preferred-language';
export { say } from './say';
