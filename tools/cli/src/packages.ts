/**
 * The packages behind the commands, each loaded at its first call: together they take longer to load than most commands take to
 * run, and --help needs none of them.
 */
export const billing = (): typeof import('@mediagate/billing') => require('@mediagate/billing');
export const database = (): typeof import('@mediagate/database') => require('@mediagate/database');
export const identity = (): typeof import('@mediagate/identity') => require('@mediagate/identity');
export const host = (): typeof import('@mediagate/host') => require('@mediagate/host');
export const settings = (): typeof import('@mediagate/settings') => require('@mediagate/settings');
export const upstreams = (): typeof import('@mediagate/upstreams') => require('@mediagate/upstreams');
export const queue = (): typeof import('@mediagate/queue') => require('@mediagate/queue');
