import * as oauth from 'oauth4webapi';
import { SmtpFailure } from '../../platform/mail/smtp-failure.ts';
import type { Provider } from './mail-providers.ts';

/** A way to and back from a provider. `verifier` stays here; who comes back without it is somebody else. */
export type Journey = { url: string; state: string; verifier: string };

export type Tokens = {
  accessToken: string;
  /** Seconds for which it holds. */
  lifetime: number;
  /** Undefined: the one before goes on holding. */
  refreshToken: string | undefined;
};

/** The longest that a provider may take to answer. */
const ANSWER_MS = 8000;

const serverOf = ({ authorizationUrl, tokenUrl }: Provider): oauth.AuthorizationServer => ({
  issuer: new URL(authorizationUrl).origin,
  authorization_endpoint: authorizationUrl,
  token_endpoint: tokenUrl,
});

/** Plain http only towards this machine, where the tests' provider is. */
const optionsFor = ({ tokenUrl }: Provider) => ({
  [oauth.allowInsecureRequests]: new URL(tokenUrl).hostname === '127.0.0.1',
  signal: () => AbortSignal.timeout(ANSWER_MS),
});

/** Begins to ask for consent that mail is sent from `address`. */
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

/** Turns the code that a provider gave back into tokens. Throws SmtpFailure in our own words. */
export async function finishConsent(
  provider: Provider,
  redirectUri: string,
  { code, state, verifier }: { code: string; state: string; verifier: string },
): Promise<Tokens> {
  const server = serverOf(provider);
  const client = { client_id: provider.clientId };
  return asked(provider, async () => {
    const back = oauth.validateAuthResponse(server, client, new URLSearchParams({ code, state }), state);
    const secret = oauth.ClientSecretPost(provider.clientSecret);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      secret,
      back,
      redirectUri,
      verifier,
      optionsFor(provider),
    );
    return oauth.processAuthorizationCodeResponse(server, client, answer);
  });
}

/** New tokens for a mailbox that is connected. Throws SmtpFailure; a permanent one where consent was withdrawn. */
export async function refreshTokens(provider: Provider, refreshToken: string): Promise<Tokens> {
  const server = serverOf(provider);
  const client = { client_id: provider.clientId };
  return asked(provider, async () => {
    const secret = oauth.ClientSecretPost(provider.clientSecret);
    const answer = await oauth.refreshTokenGrantRequest(
      server,
      client,
      secret,
      refreshToken,
      optionsFor(provider),
    );
    return oauth.processRefreshTokenResponse(server, client, answer);
  });
}

async function asked(provider: Provider, ask: () => Promise<oauth.TokenEndpointResponse>): Promise<Tokens> {
  try {
    const { access_token, expires_in = 300, refresh_token } = await ask();
    return { accessToken: access_token, lifetime: expires_in, refreshToken: refresh_token };
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') {
      const words = `${provider.name} does not let mail be sent from this mailbox any more. Connect it again.`;
      throw new SmtpFailure('signIn', true, words);
    }
    throw new SmtpFailure(
      'connection',
      false,
      `${provider.name} did not give access to the mailbox. Please try again.`,
    );
  }
}
