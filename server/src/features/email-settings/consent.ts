import * as oauth from 'oauth4webapi';
import { signInRefusal } from '../../platform/mail/microsoft-refusals.ts';
import { oneLine, SmtpFailure } from '../../platform/mail/smtp-failure.ts';
import type { Provider } from './mail-providers.ts';

/** An authorisation in progress. `verifier` stays on the server, so that it rejects another client's callback. */
export type Journey = { url: string; state: string; verifier: string };

export type Tokens = {
  accessToken: string;
  /** Seconds until the access token expires. */
  lifetime: number;
  /** Undefined if the provider did not rotate it. */
  refreshToken: string | undefined;
};

const TIMEOUT_MS = 8000;

const serverOf = ({ authorizationUrl, tokenUrl }: Provider): oauth.AuthorizationServer => ({
  issuer: new URL(authorizationUrl).origin,
  authorization_endpoint: authorizationUrl,
  token_endpoint: tokenUrl,
});

/** Plain http is permitted only for this machine, on which the tests run a provider. */
const optionsFor = ({ tokenUrl }: Provider) => ({
  [oauth.allowInsecureRequests]: new URL(tokenUrl).hostname === '127.0.0.1',
  signal: () => AbortSignal.timeout(TIMEOUT_MS),
});

/** Starts an authorisation to send mail from `address`. */
export async function beginConsent(
  provider: Provider,
  redirectUri: string,
  address: string,
): Promise<Journey> {
  const state = oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(provider.authorizationUrl);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    scope: provider.scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    login_hint: address,
    ...provider.extra,
  }).toString();
  return { url: url.href, state, verifier };
}

/** Exchanges the code of a provider for tokens. Throws SmtpFailure with a message of this program. */
export async function finishConsent(
  provider: Provider,
  redirectUri: string,
  { code, state, verifier }: { code: string; state: string; verifier: string },
): Promise<Tokens> {
  const server = serverOf(provider);
  const client = { client_id: provider.clientId };
  return requestTokens(provider, async () => {
    const back = oauth.validateAuthResponse(server, client, new URLSearchParams({ code, state }), state);
    const secret = oauth.ClientSecretPost(provider.clientSecret);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      secret,
      back,
      redirectUri,
      verifier,
      optionsFor(provider),
    );
    return oauth.processAuthorizationCodeResponse(server, client, response);
  });
}

/** Returns new tokens of a connected mailbox. Throws SmtpFailure; a permanent one if consent was withdrawn. */
export async function refreshTokens(provider: Provider, refreshToken: string): Promise<Tokens> {
  const server = serverOf(provider);
  const client = { client_id: provider.clientId };
  return requestTokens(provider, async () => {
    const secret = oauth.ClientSecretPost(provider.clientSecret);
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      secret,
      refreshToken,
      optionsFor(provider),
    );
    return oauth.processRefreshTokenResponse(server, client, response);
  });
}

async function requestTokens(
  provider: Provider,
  send: () => Promise<oauth.TokenEndpointResponse>,
): Promise<Tokens> {
  try {
    const { access_token, expires_in = 300, refresh_token } = await send();
    return { accessToken: access_token, lifetime: expires_in, refreshToken: refresh_token };
  } catch (error) {
    throw tokenFailure(provider, error);
  }
}

/** Errors of a single mailbox. Others concern the registration, which an administrator can correct. */
const OF_MAILBOX = new Set(['invalid_grant', 'interaction_required', 'login_required', 'consent_required']);

function tokenFailure({ name }: Provider, error: unknown): SmtpFailure {
  if (!(error instanceof oauth.ResponseBodyError)) {
    return new SmtpFailure(
      'connection',
      false,
      `${name} did not give access to the mailbox. Please try again.`,
    );
  }
  const refusal = signInRefusal(error.error_description ?? '');
  if (OF_MAILBOX.has(error.error)) {
    const usual = `${name} does not let mail be sent from this mailbox any more. Connect it again.`;
    return new SmtpFailure('signIn', true, refusal ?? usual);
  }
  const usual = `${name} refused the registration of Forecourt (${oneLine(error.error)}). An administrator compares its id and secret with those of the provider.`;
  return new SmtpFailure('signIn', false, refusal ?? usual);
}

/** Returns the failure of a callback without a code. */
export const consentFailure = (error: string): SmtpFailure =>
  new SmtpFailure('signIn', true, signInRefusal(error) ?? 'Consent was not given.');
