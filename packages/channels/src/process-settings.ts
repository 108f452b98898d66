/** These settings have a path of their own, so that code that only declares them loads nothing of the code that uses them. */
export { channelOriginSettings } from './channel-origin-settings';
export { vendorSecretSettings } from './vendor-secret-settings';
