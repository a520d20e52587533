/** Texts about the values of custom fields, in cells and in the form of a row. */
export const texts = {
  yes: 'Yes',
  ticked: '✓ Yes',
  yesOrNo: 'Please enter Yes or No',
  notNumber: 'Please enter a valid number',
  tooManyDecimals: (most: number) => `Please use at most ${most} decimals`,
  tooLarge: (most: string) => `Please enter a number from -${most} to ${most}`,
  notLink: 'Please enter a web address such as https://example.com',
  /** @param offered the names of the options, as far as they are listed */
  unknownOption: (name: string, offered: string) => `There is no option “${name}”. Choose from ${offered}.`,
  severalBegin: (name: string) => `Several options begin with “${name}”`,
  removedOption: 'An option that is not offered',
  formerPerson: 'A former user',
  administratorsOnly: (field: string) => `Only administrators can change ${field}`,
  required: (field: string) => `${field} is required`,
  retired: 'A custom field that is no longer in use',
  openLink: 'Open link',
  /** Title of the dialog of a list. */
  of: (field: string, customer: string) => (customer === '' ? field : `${field} of ${customer}`),
  noOptions: 'This field has no options. Administrators add them in Custom Fields.',
} as const;
