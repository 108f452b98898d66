// The adapter of NAME: what the gateway loads. It imports its own files alone; everything else it is handed.

export const contract = 1;

/** The vendor's fields that callers can say, to the callers' names of them. */
const FIELDS = { prompt: 'prompt', seconds: 'duration', resolution: 'resolution' };

/** The vendor's words for a job's state. @type {import('./mediagate.d.ts').JobStates} */
const STATES = { queued: 'queued', working: 'running', finished: 'done', broken: 'failed' };

/** The abilities of the vendor. @type {import('./mediagate.d.ts').VideoAbility} */
const ABILITY = {
  resolutions: { '720p': '720p', '1080p': '1080p' },
  roles: new Set(),
  seconds: [1, 10],
  audio: 'never',
  limits: { prompt: { maxCharacters: 2000 } },
};

/** @type {import('./mediagate.d.ts').CreateProtocol} */
export default function createAdapter({ http, kit }) {
  const errors = dialect(kit);
  return {
    protocol: 'NAME',
    families: ['video'],
    // Nothing is known of a start whose answer was lost, and it may have cost something.
    afterLostAnswer: 'never',
    checkOptions: (options) => kit.checkAgainst(kit.JOB_OPTIONS, options),
    lacks: ({ request, files }) => kit.videoLack(kit.readVideoRequest(request), files, ABILITY),
    probe: kit.createProbe(http, {
      path: () => `/videos/${kit.NO_SUCH_ID}`,
      headers: kit.bearer,
      dialect: errors,
      isAboutNothing: true,
    }),
    async start(request, context) {
      const { video, confidential } = kit.readVideoCall(request, context);
      const { prompt, seconds, resolution } = video;
      return kit.startJob(http, context, {
        path: '/videos',
        headers: kit.bearer(context.endpoint),
        body: { json: kit.present({ model: context.endpoint.model, prompt, seconds, resolution }) },
        dialect: errors,
        confidential,
        idIn: ({ id }) => kit.identifier(id),
        jobOf: (id) => ({ id }),
      });
    },
    async check(operation, context) {
      const job = /** @type {import('./mediagate.d.ts').Job} */ (operation);
      const { endpoint } = context;
      const reply = await kit.askJob(http, context, {
        path: `/videos/${encodeURIComponent(String(job['id']))}`,
        headers: kit.bearer(endpoint),
        dialect: errors,
      });
      return kit.judgeJob(reply, { job, endpoint, states: STATES }, (body) => ({
        status: kit.text(body['state']),
        result: () => kit.doneWith(body['url'], { seconds: body['seconds'] }),
        fault: (status) => kit.jobFault(ofJob(kit), body, status, endpoint),
      }));
    },
  };
}

/**
 * How the vendor says no: `{"error": {"code": …, "message": …, "field": …}}`. Its status decides where no rule does.
 *
 * @param {import('./mediagate.d.ts').Kit} kit
 * @returns {import('./mediagate.d.ts').ErrorDialect}
 */
function dialect(kit) {
  return {
    read: (body) => readError(kit, kit.object(body)['error']),
    rules: [
      { code: /^content_refused$/, fault: 'content_policy' },
      { code: /^out_of_credit$/, fault: 'operator' },
    ],
    fields: FIELDS,
    own: ['model'],
  };
}

/** The error of a job that has failed stands under another name, so that no question is refused by it. @param {import('./mediagate.d.ts').Kit} kit */
function ofJob(kit) {
  return { ...dialect(kit), read: (/** @type {unknown} */ body) => readError(kit, kit.object(body)['failure']) };
}

/**
 * @param {import('./mediagate.d.ts').Kit} kit
 * @param {unknown} error
 */
function readError(kit, error) {
  const { code, message, field } = kit.object(error);
  const word = kit.text(code);
  if (word === undefined) return undefined;
  return kit.present({ code: word, message: kit.text(message), param: kit.text(field) });
}
