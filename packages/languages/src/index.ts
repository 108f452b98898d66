export { preferredLanguage } from './preferred-language';
export { say } from './say';
