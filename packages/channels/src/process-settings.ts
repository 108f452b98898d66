/** By a path of their own, so that who only declares them loads nothing of what uses them. */
export { channelOriginSettings } from './channel-origin-settings';
export { vendorSecretSettings } from './vendor-secret-settings';
