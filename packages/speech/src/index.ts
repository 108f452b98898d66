export {
  type OutgoingSpeech,
  openSpeech,
  type SpeechClaim,
  SpeechEndedError,
  type SpeechGone,
} from './outgoing-speech';
export { readSpeechAddress, type SpeechAddress } from './speech-address';
export { openSpeechPort, type SpeechPort } from './speech-port';
export type { SpeechEnd, TakeAudio, WaitingCaller } from './waiting-caller';
