export { type Breaker, type Verdict, verdictOn } from './breaker';
export { type ChannelBook, createChannelBook } from './channel-book';
export { type ChannelChooser, createChannelChooser, type Sought } from './channel-chooser';
export { endpointOf } from './endpoint';
export { type FollowedSettings, followSettings } from './follow-settings';
