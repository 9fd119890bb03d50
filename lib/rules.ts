/** What a single value must be like to be of any use, checked while somebody types it and again when a message brings it. */

/** Gives the key of the problem (in `problems` of the catalogues), or undefined when the value can work. */
export type Rule = (value: string) => string | undefined

const names = `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
  cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
  darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
  darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
  firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
  hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
  lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
  lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
  mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
  midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
  palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
  rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue
  slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato transparent turquoise violet
  wheat white whitesmoke yellow yellowgreen`

/** `#RRGGBB`, `transparent` and the colour names of HTML, in any case (`interface.md` 2.1). */
export const colour: Rule = (value) =>
  /^#[\da-f]{6}$/i.test(value) || names.split(/\s+/).includes(value.toLowerCase()) ? undefined : 'colour'

export const themeMode: Rule = (value) => (value === 'Dark' || value === 'Light' ? undefined : 'themeMode')

/** Several domains are separated by single spaces (`interface.md` 2.1). */
export const domains: Rule = (value) => (value === value.trim().split(/\s+/).join(' ') ? undefined : 'domainSpaces')

/** A moment as ISO 8601 or another form that leaves no doubt which day is meant. */
export const dateTime: Rule = (value) => (!Number.isNaN(Date.parse(value)) ? undefined : 'date')

/** A day as YYYY-MM-DD (`interface.md` 2.5). */
export const day: Rule = (value) =>
  /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? undefined : 'day'

/** A birth date as ddMMyy (`interface.md` 2.3). */
export const shortDay: Rule = (value) =>
  /^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])\d\d$/.test(value) ? undefined : 'shortDay'

const parses = (value: string) => {
  try {
    return new URL(value).protocol !== ''
  } catch {
    return false // Not an address is exactly what is asked here.
  }
}

export const url: Rule = (value) => (parses(value) ? undefined : 'url')

/** Scheme and host of a page, nothing after it. */
export const origin: Rule = (value) => (parses(value) && /^https?:\/\/[^/?#]+$/i.test(value) ? undefined : 'origin')

/** Zero or more, with at most two decimals. */
export const amount: Rule = (value) => (/^\d+(\.\d{1,2})?$/.test(value) ? undefined : 'amount')

export const rules = { colour, themeMode, domains, dateTime, day, shortDay, url, origin, amount }

export type RuleName = keyof typeof rules
