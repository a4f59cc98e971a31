
                || (settings[3] > ${zero} && !at.is_relaxed && (sweep == 4 || sweep%16 == 0)
                    && !${m}_contact_near(change, before, settings[1]*largest)
                    && ${m}_contact_polish(&at, impulses, v, fmax${f}(settings[1], ${most})))
