import { listed, type VideoShot } from '@mediagate/contracts';
import { ignore, missing, type RuleOutcome, reject } from '../rules';

/** One video of several shots, as the caller plans them. */
export interface ShotPlan {
  duration: number;
  multi_shot: boolean;
  shot_type?: 'customize' | 'intelligence';
  multi_prompt?: readonly { index: number; prompt: string; duration: number }[];
}

/** The shots in their order; `auto`: the model plans them; undefined: there is one. */
export function shotsOf({ multi_shot: several, shot_type: type, multi_prompt: shots = [] }: ShotPlan) {
  if (!several) return undefined;
  return type === 'customize' ? inOrder(shots) : 'auto';
}

/** Rule: with several shots, somebody must plan them. */
export function shotTypeIsGiven({ multi_shot: several, shot_type: type }: ShotPlan): RuleOutcome {
  if (several && type === undefined) {
    return missing('shot_type', 'shot_type_required');
  }
  return several ? undefined : ignore('shot_type', 'ignored_goes_with', { other: 'multi_shot' });
}

/** Rule: the caller's plan is there if, and only if, the caller is the one who plans. */
export function shotsGoWithCustomize(plan: ShotPlan) {
  if (!plan.multi_shot || plan.shot_type !== 'customize') {
    return ignore('multi_prompt', 'ignored_goes_with', {
      other: listed('and', ['multi_shot', 'shot_type customize']),
    });
  }
  const { multi_prompt: shots = [] } = plan;
  return shots.length > 0 ? undefined : missing('multi_prompt', 'shots_required');
}

/** Rule: shots are counted from 1 without a gap; they may be listed in any order. */
export function shotsAreNumbered({ multi_prompt: shots = [] }: ShotPlan): RuleOutcome {
  const numbers = new Set(shots.map(({ index }) => index));
  const wrong = shots.findIndex((_, position) => !numbers.has(position + 1));
  if (wrong === -1) return undefined;
  return reject('multi_prompt', 'shots_unnumbered', { limit: shots.length, missing: wrong + 1 });
}

/** Rule: the shots fill the video. */
export function shotsFillDuration({ multi_prompt: shots = [], duration }: ShotPlan): RuleOutcome {
  const total = shots.reduce((sum, shot) => sum + shot.duration, 0);
  if (shots.length === 0 || total === duration) return undefined;
  return reject('multi_prompt', 'shots_length', { duration, total });
}

function inOrder(shots: NonNullable<ShotPlan['multi_prompt']>): VideoShot[] {
  return [...shots].sort((a, b) => a.index - b.index).map(({ prompt, duration: seconds }) => ({ prompt, seconds }));
}
