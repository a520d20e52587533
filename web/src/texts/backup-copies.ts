/** Texts that the settings of both destinations of copies share. */
export const copyTexts = {
  onOff: (isOn: boolean) => (isOn ? 'On' : 'Off'),
  none: 'None',
  stored: 'Stored. Leave it empty to keep it.',
  keepLocalCopies: 'Keep local copies',
  keepLocalCopiesNote:
    'Off: the local file is deleted after its copy has been verified. Fetch the copy to restore it.',
  lastVerified: 'Last verified',
  never: 'Never',
  incomplete: 'Fill in the required fields first',
  test: 'Test Connection',
  save: 'Save Settings',
  testFailed: 'Connection test failed',
  verified: 'Connection verified',
  shownKey: (key: string) => `Key shown now: ${key}`,
  acceptKey: 'Accept the new key',
} as const;
