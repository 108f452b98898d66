import { factQuestion } from '../vendor-call/vendor-router';
import { SPEECH_MODELS } from './models';

const CREDITS_USED = 12_000;
const CREDITS_A_MONTH = 112_000;

/** `GET /v1/user/subscription`, as far as clients look at it. What the simulator makes does not change it. */
export const subscription = factQuestion(() => ({
  status: 200,
  body: {
    tier: 'pro',
    character_count: CREDITS_USED,
    character_limit: CREDITS_A_MONTH,
    max_credit_limit_extension: 0,
    can_extend_character_limit: false,
    allowed_to_extend_character_limit: false,
    voice_slots_used: 0,
    professional_voice_slots_used: 0,
    professional_voice_slots_used_in_workspace: 0,
    voice_limit: 160,
    voice_add_edit_counter: 0,
    professional_voice_limit: 1,
    can_extend_voice_limit: false,
    can_use_instant_voice_cloning: true,
    can_use_professional_voice_cloning: true,
    current_overage: { amount: '0', currency: 'usd' },
    status: 'active',
    open_invoices: [],
    has_open_invoices: false,
  },
}));

/** `GET /v1/models`: those of speech alone. */
export const modelList = factQuestion(() => ({
  status: 200,
  body: SPEECH_MODELS.map(([id, { name, maxCharacters, creditsPerCharacter }]) => ({
    model_id: id,
    name,
    can_do_text_to_speech: true,
    maximum_text_length_per_request: maxCharacters,
    model_rates: { character_cost_multiplier: creditsPerCharacter },
  })),
}));
