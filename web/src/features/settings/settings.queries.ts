import type { RequestPart } from '@forecourt/contract/api';
import type { Setting } from '@forecourt/contract/settings';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { readQuery, useAttempt, useChange } from '../../platform/read-query.ts';
import type { SettingChange } from './settings-values.ts';

export const settingsKey = ['settings'] as const;

/** Identifies the defaults of all users in place of a user id. */
export const COMPANY = 'company';

/** The effective settings of a user, or the company's defaults. */
export const settingsQuery = (owner: string) =>
  readQuery([...settingsKey, owner], 'GET /settings/user/:userId', { params: { userId: owner } });

/** Saves a setting of an owner, or deletes the owner's value, so that the company's applies. */
export async function writeSetting(owner: string, { setting, value }: SettingChange): Promise<void> {
  const params = { userId: owner, name: setting.settingName };
  if (value === undefined) {
    const query = { version: String(setting.version) };
    await call('DELETE /settings/user/:userId/:name', { params, query });
  } else
    await call('PUT /settings/user/:userId/:name', { params, body: { value, version: setting.version } });
}

/** Reloads the settings of an owner and everything that depends on them. */
export function useReloadSettings(): (owner: string) => Promise<readonly Setting[]> {
  const client = useQueryClient();
  return async (owner) => {
    const query = settingsQuery(owner);
    // A request in flight may have read the settings before the change.
    await client.cancelQueries({ queryKey: query.queryKey, exact: true });
    const { items } = await client.fetchQuery({ ...query, staleTime: 0 });
    void client.invalidateQueries({ queryKey: settingsKey });
    return items;
  };
}

/** Below the key of the settings, because it depends on the rates. */
export const withoutRateQuery = readQuery([...settingsKey, 'without-rate'], 'GET /deals/without-rate');

export const useApplyRates = () =>
  useAttempt(withoutRateQuery.queryKey, (expected: RequestPart<'POST /deals/without-rate', 'body'>) =>
    call('POST /deals/without-rate', { body: expected }),
  );

export const useInitializeSettings = () => useChange(settingsKey, () => call('POST /settings/initialize'));
