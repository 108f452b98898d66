export { type Breaker, type Verdict, verdictOn } from './breaker';
export { type ChannelBook, createChannelBook } from './channel-book';
export { type ChannelChooser, createChannelChooser, type Sought } from './channel-chooser';
export { endpointOf } from './endpoint';
export { followOverrides } from './follow-overrides';
export { type FollowedSettings, followSettings } from './follow-settings';
export { describeChannel, type ListedChannel, listChannels } from './list-channels';
export { overrideChannel } from './override-channel';
export { vendorsOf } from './vendors-of';
