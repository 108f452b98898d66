export { type ChannelChooser, createChannelChooser } from './channel-chooser';
export { endpointOf } from './endpoint';
