// SPDX-License-Identifier: MIT
// Valid and invalid JSON texts, by topic.

@testable import ObserveCore

let validTexts: [(String, JSONKind)] = [
    // Words
    ("null", .null), ("true", .true), ("false", .false), (" null ", .null), ("\n\r\t true", .true),
    // Integers
    ("0", .integer), ("-0", .integer), ("1", .integer), ("-1", .integer), ("10", .integer),
    ("1234567890", .integer),
    ("9223372036854775807", .integer), ("-9223372036854775808", .integer), ("9223372036854775808", .integer),
    ("100000000000000000000000000000000000000000", .integer), (" 42 ", .integer),
    // Numbers with a fraction or an exponent
    ("0.0", .double), ("-0.0", .double), ("1.5", .double), ("-1.5", .double), ("0.00001", .double),
    ("1e1", .double),
    ("1E1", .double), ("1e+1", .double), ("1e-1", .double), ("1E+01", .double), ("0e0", .double),
    ("0E+00", .double),
    ("-0e-0", .double), ("1.0e10", .double), ("123.456e-78", .double), ("1e999", .double),
    ("1e00000000001", .double),
    // Strings
    ("\"\"", .string), ("\"a\"", .string), ("\"abcdefg\"", .string), ("\"abcdefgh\"", .string),
    ("\"abcdefghijklmnopqrstuvwxyz\"", .string), ("\" \"", .string), ("\"\u{7F}\"", .string),
    ("\"\\\"\"", .string), ("\"\\\\\"", .string), ("\"\\/\"", .string), ("\"\\b\\f\\n\\r\\t\"", .string),
    ("\"\\u0000\"", .string), ("\"\\u001f\"", .string), ("\"\\u0041\"", .string), ("\"\\uABCD\"", .string),
    ("\"\\uabcd\"", .string), ("\"\\ud7ff\"", .string), ("\"\\ue000\"", .string), ("\"\\uffff\"", .string),
    ("\"\\ud83d\\ude00\"", .string), ("\"\\uDBFF\\uDFFF\"", .string), ("\"\\\\u0041\"", .string),
    ("\"\\\\\\\"\"", .string), ("\"[]{},:\"", .string), ("\"//\"", .string), ("\"'\"", .string),
    ("\"é\"", .string), ("\"e\u{301}\"", .string), ("\"Привет\"", .string), ("\"日本語\"", .string),
    ("\"😀\"", .string), ("\"\u{10FFFF}\"", .string), ("\"\u{FEFF}\"", .string),
    ("\"\u{2028}\u{2029}\"", .string),
    ("\"\u{80}\u{7FF}\u{800}\u{FFFD}\u{FFFF}\u{10000}\"", .string), ("\"\u{D7FF}\u{E000}\"", .string),
    // Arrays
    ("[]", .array), ("[ ]", .array), ("[\n]", .array), ("[1]", .array), ("[1,2]", .array),
    (" [ 1 , 2 ] ", .array),
    ("[[]]", .array), ("[[],[]]", .array), ("[null,true,false,0,0.5,\"\",[],{}]", .array), ("[\"\"]", .array),
    ("[[[[1],2],3],4]", .array), ("[1,[2,[3,[4]]]]", .array), ("[0]", .array), ("[-0]", .array),
    ("[1e1]", .array),
    // Objects
    ("{}", .object), ("{ }", .object), ("{\"a\":1}", .object), ("{ \"a\" : 1 }", .object),
    ("{\"\":0}", .object),
    ("{\"a\":1,\"b\":2}", .object), ("{\"a\":1,\"a\":2}", .object), ("{\"a\":{}}", .object),
    ("{\"a\":[]}", .object),
    ("{\"a\":{\"b\":{\"c\":{}}},\"d\":[{}]}", .object), ("{\"\\u0061\":null}", .object),
    ("{\"😀\":\"é\"}", .object),
    ("\t{\n\"a\"\r:\t[ {} ,\n[] ]\n}\r\n", .object), ("[{\"a\":[{\"b\":[]}]},{}]", .array),
]

let invalidTexts: [(String, JSONError.Reason, Int)] = [
    // Empty texts, and texts without a value
    ("", .endOfText, 0), (" \n", .endOfText, 2), ("]", .noValue, 0), ("}", .noValue, 0), (",", .noValue, 0),
    (":", .noValue, 0), ("'a'", .noValue, 0), ("//", .noValue, 0), ("/**/1", .noValue, 0), ("#", .noValue, 0),
    ("\u{0}", .noValue, 0), ("\u{C}1", .noValue, 0), ("\u{A0}1", .noValue, 0), ("é", .noValue, 0),
    ("*", .noValue, 0),
    ("\u{FEFF}1", .byteOrderMark, 0), ("\u{FEFF}", .byteOrderMark, 0), (" \u{FEFF}{}", .byteOrderMark, 1),
    // Words
    ("nul", .unknownWord, 0), ("tru", .unknownWord, 0), ("fals", .unknownWord, 0), ("Null", .unknownWord, 0),
    ("TRUE", .unknownWord, 0), ("nil", .unknownWord, 0), ("undefined", .unknownWord, 0),
    ("[a]", .unknownWord, 1),
    ("NaN", .unknownWord, 0), ("Infinity", .unknownWord, 0), ("[NaN]", .unknownWord, 1),
    ("inf", .unknownWord, 0),
    ("nulll", .trailingBytes, 4), ("true1", .trailingBytes, 4), ("falsetrue", .trailingBytes, 5),
    // Numbers
    ("-", .missingDigit, 1), ("-a", .missingDigit, 1), ("--1", .missingDigit, 1), ("- 1", .missingDigit, 1),
    ("+1", .noValue, 0), (".5", .noValue, 0), ("-.5", .missingDigit, 1), ("1.", .missingDigit, 2),
    ("[1.]", .missingDigit, 3), ("1.e1", .missingDigit, 2), ("1..2", .missingDigit, 2),
    ("0.", .missingDigit, 2),
    ("1e", .missingDigit, 2), ("1E", .missingDigit, 2), ("1e+", .missingDigit, 3), ("1e-", .missingDigit, 3),
    ("1ea", .missingDigit, 2), ("1e+-1", .missingDigit, 3), ("1.5e", .missingDigit, 4),
    ("0e", .missingDigit, 2),
    ("00", .leadingZero, 0), ("01", .leadingZero, 0), ("-01", .leadingZero, 1), ("-00", .leadingZero, 1),
    ("[012]", .leadingZero, 1), ("00.5", .leadingZero, 0), ("1 2", .trailingBytes, 2),
    ("1.2.3", .trailingBytes, 3),
    ("1e1.5", .trailingBytes, 3), ("1e1e1", .trailingBytes, 3), ("0x10", .trailingBytes, 1),
    ("1_000", .trailingBytes, 1), ("1,0", .trailingBytes, 1), ("-Infinity", .missingDigit, 1),
    ("-NaN", .missingDigit, 1),
    ("1a", .trailingBytes, 1), ("[1-2]", .missingComma, 2), ("[-]", .missingDigit, 2), ("１", .noValue, 0),
    // Strings
    ("\"", .unterminatedString, 1), ("\"a", .unterminatedString, 2), ("\"abcdefghi", .unterminatedString, 10),
    ("\"\\", .unterminatedString, 2), ("\"\\\"", .unterminatedString, 3), ("[\"a]", .unterminatedString, 4),
    ("\"\u{0}\"", .controlCharacter, 1), ("\"a\nb\"", .controlCharacter, 2), ("\"\t\"", .controlCharacter, 1),
    ("\"abcdefgh\u{1F}\"", .controlCharacter, 9), ("{\"a\r\":1}", .controlCharacter, 3),
    ("\"\\a\"", .unknownEscape, 1), ("\"\\'\"", .unknownEscape, 1), ("\"\\x41\"", .unknownEscape, 1),
    ("\"\\0\"", .unknownEscape, 1), ("\"\\U0041\"", .unknownEscape, 1), ("\"\\é\"", .unknownEscape, 1),
    ("\"\\\n\"", .unknownEscape, 1), ("\"\\\u{0}\"", .unknownEscape, 1), ("\"ab\\v\"", .unknownEscape, 3),
    ("\"\\u\"", .badHexadecimal, 1), ("\"\\u1\"", .badHexadecimal, 1), ("\"\\u12\"", .badHexadecimal, 1),
    ("\"\\u123\"", .badHexadecimal, 1), ("\"\\u123g\"", .badHexadecimal, 1),
    ("\"\\u-123\"", .badHexadecimal, 1),
    ("\"\\u 123\"", .badHexadecimal, 1), ("\"\\u{41}\"", .badHexadecimal, 1), ("\"\\u00", .badHexadecimal, 1),
    ("\"\\u００００\"", .badHexadecimal, 1), ("\"\\u12@4\"", .badHexadecimal, 1),
    ("\"\\u12`4\"", .badHexadecimal, 1),
    ("\"\\ud800\"", .loneSurrogate, 1), ("\"\\udbff\"", .loneSurrogate, 1),
    ("\"\\udc00\"", .loneSurrogate, 1),
    ("\"\\udfff\"", .loneSurrogate, 1), ("\"ab\\uD834\"", .loneSurrogate, 3),
    ("\"\\ud800a\"", .loneSurrogate, 1),
    ("\"\\ud800\\n\"", .loneSurrogate, 1), ("\"\\ud800\\ud800\"", .loneSurrogate, 1),
    ("\"\\udc00\\ud800\"", .loneSurrogate, 1), ("\"\\ud800\\u0041\"", .loneSurrogate, 1),
    ("\"\\ud800\\\\udc00\"", .loneSurrogate, 1), ("\"\\ud83d\\ude00\\ud83d\"", .loneSurrogate, 13),
    ("\"\\ud800\\u12\"", .badHexadecimal, 7), ("\"a\" \"b\"", .trailingBytes, 4),
    ("\"a\"b", .trailingBytes, 3),
    // Arrays
    ("[", .endOfText, 1), ("[1", .endOfText, 2), ("[1,", .endOfText, 3), ("[[]", .endOfText, 3),
    ("[,]", .noValue, 1), ("[,1]", .noValue, 1), ("[1,]", .commaBeforeBracket, 3),
    ("[1 , ]", .commaBeforeBracket, 5),
    ("[[1,],2]", .commaBeforeBracket, 4), ("[1,,2]", .noValue, 3), ("[1 2]", .missingComma, 3),
    ("[1 true]", .missingComma, 3), ("[\"a\" \"b\"]", .missingComma, 5), ("[1:2]", .missingComma, 2),
    ("[[] []]", .missingComma, 4), ("[1}", .wrongBracket, 2), ("[}", .noValue, 1), ("[]]", .trailingBytes, 2),
    ("[],", .trailingBytes, 2), ("[]1", .trailingBytes, 2), ("[1]x", .trailingBytes, 3),
    ("[\u{0}]", .noValue, 1),
    ("[1;2]", .missingComma, 2), ("[\"a\",\n4\n,1,", .endOfText, 11), ("[1,/**/2]", .noValue, 3),
    // Objects
    ("{", .endOfText, 1), ("{\"a\"", .endOfText, 4), ("{\"a\":", .endOfText, 5), ("{\"a\":1", .endOfText, 6),
    ("{\"a\":1,", .endOfText, 7), ("{,}", .missingName, 1), ("{1:2}", .missingName, 1),
    ("{a:1}", .missingName, 1),
    ("{'a':1}", .missingName, 1), ("{null:1}", .missingName, 1), ("{[]:1}", .missingName, 1),
    ("{{}}", .missingName, 1),
    ("{\"a\":1,}", .commaBeforeBracket, 7), ("{\"a\":1 , }", .commaBeforeBracket, 9),
    ("{\"a\":1,,}", .missingName, 7),
    ("{\"a\":1,b}", .missingName, 7), ("{\"a\"}", .missingColon, 4), ("{\"a\" 1}", .missingColon, 5),
    ("{\"a\",1}", .missingColon, 4), ("{\"a\"=1}", .missingColon, 4), ("{\"a\":}", .noValue, 5),
    ("{\"a\"::1}", .noValue, 5), ("{\"a\":1 \"b\":2}", .missingComma, 7), ("{\"a\":1:2}", .missingComma, 6),
    ("{\"a\":1]", .wrongBracket, 6), ("{]", .missingName, 1), ("{}}", .trailingBytes, 2),
    ("{}{}", .trailingBytes, 2),
    ("{} #", .trailingBytes, 3), ("{\"a\":1}//", .trailingBytes, 7), ("{:1}", .missingName, 1),
    ("}{", .noValue, 0),
]

let illFormedTexts: [[UInt8]] = [
    // Continuation bytes without a start, and bytes that never occur
    [0x80], [0xBF], [0xFE], [0xFF], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
    [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80],
    // Overlong forms
    [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
    [0xF0, 0x80, 0x80, 0x80],
    [0xF0, 0x8F, 0xBF, 0xBF],
    // Surrogates, and scalars beyond U+10FFFF
    [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], [0xF4, 0x90, 0x80, 0x80],
    // Truncated
    [0xC3], [0xE2], [0xE2, 0x82], [0xF0], [0xF0, 0x9F], [0xF0, 0x9F, 0x98], [0xC3, 0x41], [0xE2, 0x82, 0x41],
    [0xF0, 0x9F, 0x98, 0x41], [0xE9], [0xC3, 0xC3, 0xA9], [0xE2, 0x28, 0xA1], [0xF0, 0x28, 0x8C, 0xBC],
]
