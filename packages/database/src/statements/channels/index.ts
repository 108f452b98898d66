export { readChannelHistory } from './channel-history';
export { claimNamesLook, listUnlisted, noteUnlisted } from './channel-names';
export { takeChannelStart, throttleChannel } from './channel-paces';
export { followChannels, listOpenBreakers } from './follow-channels';
export { pruneDestinations, rememberChannel } from './remember-channel';
export { listSecretDestinations } from './secret-destinations';
export { sumChannelAttempts } from './sum-channel-attempts';
