import type { Setting } from '@forecourt/contract/settings';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import type { SettingChange } from './settings-values.ts';

export const settingsKey = ['settings'] as const;

/** In the place of a person's id: what holds where a person has no value of their own. */
export const COMPANY = 'company';

/** The settings as they hold for a person, or the company's defaults. */
export const settingsQuery = (owner: string) =>
  queryOptions({
    queryKey: [...settingsKey, owner],
    queryFn: ({ signal }) => call('GET /settings/user/:userId', { params: { userId: owner }, signal }),
  });

/** Writes one changed value of somebody, or forgets it so that the company's holds again. */
export async function writeSetting(owner: string, { setting, value }: SettingChange): Promise<void> {
  const params = { userId: owner, name: setting.settingName };
  if (value === undefined) await call('DELETE /settings/user/:userId/:name', { params });
  else await call('PUT /settings/user/:userId/:name', { params, body: { value, version: setting.version } });
}

/** Loads anew what holds for somebody; whatever follows from it is loaded anew, too. */
export function useReloadSettings(): (owner: string) => Promise<readonly Setting[]> {
  const client = useQueryClient();
  return async (owner) => {
    const { items } = await client.fetchQuery({ ...settingsQuery(owner), staleTime: 0 });
    void client.invalidateQueries({ queryKey: settingsKey });
    return items;
  };
}

/** Adds the company's defaults that are missing. */
export function useInitializeSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /settings/initialize'),
    onSuccess: () => client.invalidateQueries({ queryKey: settingsKey }),
  });
}
