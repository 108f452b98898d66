import type { JsonObject } from '@mediagate/contracts';
import { MODELS } from './models-schema';
import { integer, list, map, oneOf, optional, text, vendorSecret } from './schema-parts';
import { MEDIA, UPLOADS, WEBHOOKS } from './section-schemas';
import { MEDIA_MODES } from './settings';
import { storageSchema } from './storage-drivers';

/** The names that a configuration file may use. */
export interface KnownNames {
  /** Undefined: any. */
  protocols: ReadonlySet<string> | undefined;
  /** Public ids, without aliases; undefined: any. */
  models: ReadonlySet<string> | undefined;
}

const MAX_CHANNELS = 1000;
const MAX_PROTOCOLS = 100;
export const STATES = ['enabled', 'draining', 'disabled'] as const;
export const PRICE_MESSAGE =
  'must be a price in currency units: a plain decimal of at least 0 with at most 9 places, as 0.30';
const NAME_MESSAGE = 'must be lower-case letters, digits, ".", "_" and "-", at most 64';
/** A price: of a task, or by unit, or by kind of a unit. `prices.ts` reads it from its text, because a float is not exact. */
const PRICE = {
  type: ['number', 'object'],
  description: 'In currency units, with at most 9 decimal places.',
  typeMessage: PRICE_MESSAGE,
};

/**
 * The configuration file as a JSON Schema: what the services check, and what an editor completes. `errorMessage` takes the
 * place of an expression or a format in a fault, as it does in editors.
 */
export function settingsSchema({ protocols, models }: KnownNames): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'The configuration file of mediagate (MEDIAGATE_CONFIG)',
    ...map('', {
      channels: list(channel({ protocols, models }), {
        description: 'Where models are served.',
        maxItems: MAX_CHANNELS,
        errorMessage: `must have at most ${MAX_CHANNELS} channels`,
      }),
      models: MODELS,
      protocols: PROTOCOLS,
      prices: {
        type: 'object',
        description: 'Prices in place of those of the catalogue, by billing key.',
        additionalProperties: PRICE,
        default: {},
      },
      webhooks: optional(WEBHOOKS),
      media: optional(MEDIA),
      uploads: optional(UPLOADS),
      storage: optional(storageSchema()),
    }),
    required: ['channels'],
    $defs: {
      json: {
        type: ['string', 'number', 'boolean', 'null', 'array', 'object'],
        items: { $ref: '#/$defs/json' },
        additionalProperties: { $ref: '#/$defs/json' },
        typeMessage: 'must be text, a finite number, true, false, a list or a map',
      },
    },
  };
}

const PROTOCOLS = list(
  text({ minLength: 1, maxLength: 500, errorMessage: 'must be the name of a package, or a path' }),
  {
    description:
      'Packages that speak further protocols, by name or path, as Node finds them from the folder of this file. They are loaded when a process starts.',
    maxItems: MAX_PROTOCOLS,
    errorMessage: `must have at most ${MAX_PROTOCOLS} packages`,
    default: [],
  },
);

/** The schema of the model names that a channel maps. */
export function modelNames(models: ReadonlySet<string>): JsonObject {
  return oneOf(models, 'no such model');
}

const TEST = {
  type: 'boolean',
  description: 'true: it serves the tasks of test keys, which are free, and no others; for a simulator.',
  default: false,
};
const STATE = {
  enum: [...STATES],
  description:
    'draining: takes no new tasks, those it has accepted are checked; disabled: the same, and its key may be gone.',
  default: 'enabled',
};

const ID = {
  type: 'string',
  description: 'Your own name of it, in logs, metrics and attempts.',
  pattern: '^[a-z0-9][a-z0-9._-]{0,63}$',
  errorMessage: NAME_MESSAGE,
};
/** Fields for the vendor's charges. */
const COSTS = {
  vendor: {
    type: 'string',
    description: 'Whose it is, in reports of usage and margin. Default: its protocol.',
    pattern: '^[a-z0-9][a-z0-9._-]{0,63}$',
    errorMessage: NAME_MESSAGE,
  },
  costs: {
    type: 'object',
    description:
      'What the vendor charges, by billing key as under `prices`, every unit of a model. What is not here is not known, and is nowhere counted as nothing.',
    additionalProperties: PRICE,
    default: {},
  },
  credit_cost: {
    type: 'number',
    description:
      "What one of the vendor's own credits costs, in currency units: what the vendor says of a job's cost then counts before `costs`.",
    typeMessage: PRICE_MESSAGE,
  },
};

/** A name alone, or with what the vendor has announced of the model. */
const SERVED_MODEL = {
  type: ['string', 'object'],
  typeMessage: "must be the vendor's name of it, or a map of name, served_until and replaced_by",
  properties: {
    name: { type: 'string', description: "The vendor's own name of it." },
    served_until: {
      type: 'string',
      description: 'The day, in UTC, at whose beginning the vendor ends it. Operators are warned 60 days ahead.',
      format: 'day',
      errorMessage: 'must be a day, as 2027-01-06',
    },
    replaced_by: { type: 'string', description: "The vendor's name of what follows it." },
  },
  required: ['name'],
  additionalProperties: false,
};

const CHANNEL_MEDIA = {
  type: 'string',
  description:
    "How callers' files come to a vendor that fetches them itself: `pass` their addresses on; `rehost`, by a link of the gateway that lasts as long as the task may; `upload`, in the request, where the protocol can.",
  ...oneOf(new Set(MEDIA_MODES), 'no such way'),
  default: 'pass',
};

const OPTIONS = {
  type: 'object',
  description: 'What its protocol alone knows.',
  additionalProperties: { $ref: '#/$defs/json' },
  default: {},
};

function channel({ protocols, models }: KnownNames): JsonObject {
  const fields = {
    id: ID,
    protocol: {
      type: 'string',
      description: 'The adapter that speaks to it.',
      ...(protocols && oneOf(protocols, 'no such protocol')),
    },
    base_url: {
      type: 'string',
      description: "What stands before the first resource name in the vendor's documentation.",
    },
    api_key: vendorSecret('The key of the vendor.'),
    models: {
      type: 'object',
      description: "Public model id: the vendor's own name of it.",
      ...(models && { propertyNames: modelNames(models) }),
      additionalProperties: SERVED_MODEL,
      minProperties: 1,
      errorMessage: "must map at least one model to the vendor's name of it",
    },
    priority: integer({ minimum: 0, maximum: 1000, default: 1 }, 'Lower is tried first.'),
    weight: integer({ minimum: 1, maximum: 1000, default: 1 }, 'Share among channels of equal priority.'),
    max_concurrency: integer(
      { minimum: 1, maximum: 100_000 },
      'Calls or accepted jobs at once, over all processes; of texts in each process of the API. Default: no limit.',
    ),
    ...COSTS,
    media: CHANNEL_MEDIA,
    options: OPTIONS,
    test: TEST,
    state: STATE,
  };
  return {
    ...map('A place where models are served.', fields),
    required: ['id', 'protocol', 'base_url', 'models'],
    if: { properties: { state: { const: 'disabled' } }, required: ['state'] },
    else: { required: ['api_key'] },
  };
}
