import TestSupport
import Testing

@testable import LineCountKit

@Suite("The table of languages")
struct LineCountLanguageTests {
    private let table = LanguageTable.standard

    private func name(_ guess: LanguageTable.Guess) -> String? {
        if case .language(let index) = guess { table.languages[index].name } else { nil }
    }

    @Test("has many languages, and each name, extension, file name and interpreter once, in lower case")
    func unique() {
        #expect(table.languages.count >= 80)
        expect(Set(table.languages.map(\.name)).count, is: table.languages.count)
        let keys = [
            table.languages.map(\.extensions), table.languages.map(\.fileNames), table.languages.map(\.interpreters),
        ]
        for names in keys.map({ $0.flatMap(\.self) }) {
            #expect(Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.isEmpty)
            #expect(names.allSatisfy { $0 == $0.lowercased() && !$0.isEmpty })
        }
    }

    @Test(
        "recognizes a language by the file name",
        arguments: [
            ("a.swift", "Swift"), ("A.C", "C"), ("a.b.hpp", "C/C++ Header"), ("Makefile", "Makefile"),
            ("CMakeLists.txt", "CMake"), ("x.cmake", "CMake"), (".bashrc", "Shell"), ("Dockerfile", "Dockerfile"),
            ("a.R", "R"),
        ])
    func fileName(_ file: String, _ language: String) {
        expect(name(table.guess(fileName: file)), is: language)
    }

    @Test("reports unknown and unnamed languages")
    func unknown() {
        expect(table.guess(fileName: "a.nothing"), is: .unknown)
        expect(table.guess(fileName: "a."), is: .unknown)
        for file in ["vector", ".hidden"] { expect(table.guess(fileName: file), is: .unnamed) }
    }

    @Test(
        "recognizes a language by the first line",
        arguments: [
            ("#!/bin/sh", "Shell"), ("#!/usr/bin/env python3.12 -u\nx", "Python"),
            ("#! /usr/bin/env -S perl -w", "Perl"),
            ("// -*- C++ -*- forwarding header", "C++"), ("# -*- mode: ruby; x: y -*-", "Ruby"),
            ("/* -*- c -*- */", "C"),
            ("#!", nil), ("#!/usr/bin/env", nil), ("hello", nil), ("", nil), ("-*-", nil), ("-*- -*-", nil),
            ("\n#!/bin/sh", nil),
        ])
    func firstLine(_ line: String, _ language: String?) {
        let index = table.language(ofFirstLine: Array(line.utf8)[...])
        expect(index.map { table.languages[$0].name }, is: language)
    }
}
