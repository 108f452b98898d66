import { Alert, Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { beginElsewhere, methodsQuery, placesQuery, type SignInPlace } from '../../api/session.ts';
import { faultText } from '../../parts/failure.tsx';
import { currentLanguage } from '../../texts/languages.ts';
import { textsOf } from '../../texts/texts.ts';
import type en from './locales/en.json';
import classes from './sign-in-page.module.css';

type Text = keyof typeof en;

const say = textsOf<Text>('pages/sign-in');

/** Why the provider led back without a session, as the console says it in the page's address. */
const fault = new URLSearchParams(window.location.search).get('elsewhere') ?? '';
const QUESTIONS: Readonly<Record<string, Text>> = { invited: 'elsewhere.invited', several: 'elsewhere.several' };
const REFUSALS: Readonly<Record<string, Text>> = {
  not_invited: 'elsewhere.notInvited',
  no_address: 'elsewhere.noAddress',
  address_not_verified: 'elsewhere.addressNotVerified',
  no_role: 'elsewhere.noRole',
  refused: 'elsewhere.refused',
  not_proven: 'elsewhere.notProven',
  unavailable: 'elsewhere.unavailable',
};

const DAY = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium' });

/** Leads to the provider of the user's organisation. Users of several accounts, or invited ones, press the one that they mean. */
export function Elsewhere({ account }: { account: string | null }) {
  const { data: methods } = useQuery(methodsQuery);
  const { data: places = [] } = useQuery({ ...placesQuery(account), enabled: fault in QUESTIONS });
  const { mutate, error, isPending } = useMutation({
    mutationFn: beginElsewhere,
    onSuccess: (url) => window.location.assign(url),
  });
  if (!methods?.oidc) return null;
  const goOn = (name: string, choice: { account: string | null; joins: boolean }) => (
    <Button variant="default" size="sm" fullWidth loading={isPending} onClick={() => mutate(choice)}>
      {name}
    </Button>
  );
  return (
    <>
      <Answered hasPlaces={places.length > 0} />
      {error && (
        <Alert color="red" variant="light" role="alert">
          {faultText(error)}
        </Alert>
      )}
      {places.length === 0 && goOn(say('elsewhere'), { account, joins: false })}
      {places.map((place) => (
        <div key={place.account}>
          {goOn(place.name ?? say('elsewhere.operators'), { account: place.account, joins: !place.joined })}
          <small className={`quiet ${classes.origin}`}>{originOf(place)}</small>
        </div>
      ))}
    </>
  );
}

/** A text that tells an account from others of the same name: their holders choose the names. */
function originOf({ account, joined, invited_at, invited_by }: SignInPlace): string {
  if (joined) return account;
  const invitation = { account, date: DAY.format(invited_at * 1000), email: invited_by ?? '' };
  return say(invited_by === null ? 'elsewhere.invitedOn' : 'elsewhere.invitedBy', invitation);
}

function Answered({ hasPlaces }: { hasPlaces: boolean }) {
  const refusal = REFUSALS[fault];
  if (refusal !== undefined) {
    return (
      <Alert color="red" variant="light" role="alert">
        {say(refusal)}
      </Alert>
    );
  }
  if (fault === 'password_first') return <Alert variant="light">{say('elsewhere.passwordFirst')}</Alert>;
  const question = QUESTIONS[fault];
  return hasPlaces && question !== undefined ? <Alert variant="light">{say(question)}</Alert> : null;
}
